"""Makes what is deployed: a zip and a CloudFormation template, the same bytes from the same sources.

`build` runs Chalice on a staged copy, finishes the zip, and refuses a result that would break on
Lambda. The thin variant leaves the requirements out: the laptop cloud has them already.
"""

from infra.package.building import Package, PackageError, build

__all__ = ["Package", "PackageError", "build"]
