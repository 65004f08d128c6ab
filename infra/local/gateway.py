"""Mends a REST API after a local deployment: preflight headers and gateway responses.

The emulator drops both when it imports the API's body. The packaged template still has them, so
they are put in place one by one and the stage is deployed again. On AWS none of this is needed.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient


def mend(gateway: "APIGatewayClient", api_id: str, template: str) -> None:
    """Bring the API at `api_id` to what the template says."""
    properties = yaml.safe_load(template)["Resources"]["RestAPI"]["Properties"]
    for kind, response in properties.get("GatewayResponses", {}).items():
        _put_gateway_response(gateway, api_id, kind, response)
    paths = {
        path: operations["options"]
        for path, operations in properties["DefinitionBody"]["paths"].items()
        if "options" in operations
    }
    for resource in _resources(gateway, api_id):
        if resource["path"] in paths:
            _put_preflight(gateway, {"restApiId": api_id, "resourceId": resource["id"]}, paths[resource["path"]])
    gateway.create_deployment(restApiId=api_id, stageName=properties["StageName"])


def _put_gateway_response(gateway: "APIGatewayClient", api_id: str, kind: str, response: Mapping[str, Any]) -> None:
    headers = response.get("ResponseParameters", {}).get("Headers", {})
    status: dict[str, Any] = {"statusCode": str(response["StatusCode"])} if "StatusCode" in response else {}
    request: dict[str, Any] = {
        "restApiId": api_id,
        "responseType": kind,
        "responseParameters": {f"gatewayresponse.header.{name}": value for name, value in headers.items()},
        "responseTemplates": response.get("ResponseTemplates", {}),
    }
    gateway.put_gateway_response(**request, **status)


def _resources(gateway: "APIGatewayClient", api_id: str) -> Iterator[Mapping[str, Any]]:
    for page in gateway.get_paginator("get_resources").paginate(restApiId=api_id):
        yield from page["items"]


def _put_preflight(gateway: "APIGatewayClient", resource: Mapping[str, str], operation: Mapping[str, Any]) -> None:
    integration = operation["x-amazon-apigateway-integration"]["responses"]["default"]
    parameters = integration["responseParameters"]
    method: dict[str, Any] = {**resource, "httpMethod": "OPTIONS", "statusCode": str(integration["statusCode"])}
    gateway.put_method_response(**method, responseParameters=dict.fromkeys(parameters, False))
    gateway.put_integration_response(**method, responseParameters=parameters)
