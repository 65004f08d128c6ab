"""The public door: visitors ask pages, answers come as Server-Sent Events or as one JSON document.

An ASGI app, behind the Lambda Web Adapter on AWS and under uvicorn on a laptop. It knows HTTP and nothing of how an
answer is made.
"""
