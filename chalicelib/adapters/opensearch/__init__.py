"""The search engine of deployments: OpenSearch, one document per passage, reached by opensearch-py.

It keeps and finds cards, and vectors beside them. How text becomes terms is `search.analysis`; who may see what it
finds is not its business, and neither is running a cluster (`infra/opensearch` does, on a laptop).
"""
