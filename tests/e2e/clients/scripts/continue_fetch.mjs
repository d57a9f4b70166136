// Continue's reader of server-sent events over a plain fetch.

import { streamSse } from "@continuedev/fetch";

import { tell } from "./telling.mjs";

// The reader says errors on the console as well as raising them.
console.error = () => {};

async function stream({ url, key }, { model, content, tools }, told) {
  told.data = [];
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}`, "x-api-key": key },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content }],
      stream: true,
      stream_options: { include_usage: true },
      ...(tools ? { tools, tool_choice: "required" } : {}),
    }),
  });
  for await (const chunk of streamSse(answer)) {
    told.data.push(chunk);
    told.usage = chunk.usage ?? told.usage;
    for (const { delta, finish_reason } of chunk.choices) {
      told.text += delta.content ?? "";
      told.reasoning += delta.reasoning_content ?? "";
      told.sources.push(...(delta.annotations ?? []));
      told.tools.push(...(delta.tool_calls ?? []));
      told.finish = finish_reason ?? told.finish;
    }
  }
}

await tell({ stream });
