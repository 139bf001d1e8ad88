"""Chats with the pet advisor through the package openai, whole and as a stream.

    chat_with_openai.py URL TOKEN

Prints what the package returned, as one line of JSON.
"""

import json
import sys

from openai import AuthenticationError, BadRequestError, OpenAI

MESSAGES = [
    {"role": "developer", "content": "Answer in English."},
    {"role": "user", "content": [{"type": "text", "text": "I look for a calm dog for children."}]},
]
REQUEST = {"model": "pet-advisor-1", "messages": MESSAGES, "temperature": 0}


def failure(error, call):
    try:
        call()
    except error as failed:
        return [failed.status_code, failed.code]
    raise SystemExit(f"expected {error.__name__}")


def main(url, token):
    client = OpenAI(base_url=f"{url}/v1/openai", api_key=token, max_retries=0)
    stranger = OpenAI(base_url=f"{url}/v1/openai", api_key="none", max_retries=0)
    whole = client.chat.completions.create(**REQUEST)
    chunks = list(client.chat.completions.create(**REQUEST, stream=True, stream_options={"include_usage": True}))
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    print(
        json.dumps(
            {
                "models": [model.id for model in client.models.list()],
                "text": whole.choices[0].message.content,
                "finishReason": whole.choices[0].finish_reason,
                "isStreamedAlike": streamed == whole.choices[0].message.content,
                "isCountedAlike": chunks[-1].usage == whole.usage,
                "unauthorized": failure(AuthenticationError, lambda: stranger.models.list()),
                "invalid": failure(BadRequestError, lambda: client.chat.completions.create(**REQUEST, max_tokens=0)),
            }
        )
    )


main(*sys.argv[1:])
