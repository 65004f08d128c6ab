"""What browsers are given: static files, native modules, no build step. Nothing here runs on the server."""
