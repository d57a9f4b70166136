"""The OpenAI chat API: models and chat completions as chat front ends expect them."""
