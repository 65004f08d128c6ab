"""The packaged streaming function with the real Lambda Web Adapter, on a double of Lambda's Runtime API."""
