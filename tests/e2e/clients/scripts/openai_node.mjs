// OpenAI's library for Node.

import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

import { tell } from "./telling.mjs";

const Distance = z.object({ metres: z.number().int(), reason: z.string() });

/** A client that never tries twice. */
const client = ({ url, key }) =>
  new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0, timeout: 60_000 });

/** The arguments of a chat call. */
const asked = ({ model, content, tools }) => ({
  model,
  messages: [{ role: "user", content }],
  ...(tools ? { tools, tool_choice: "required" } : {}),
});

function whole(completion, told) {
  const [choice] = completion.choices;
  told.text = choice.message.content ?? "";
  told.finish = choice.finish_reason;
  told.reasoning = choice.message.reasoning_content ?? "";
  told.sources = choice.message.annotations ?? [];
  told.tools = choice.message.tool_calls ?? [];
  told.usage = completion.usage ?? null;
  told.data = completion;
}

async function create(server, task, told) {
  whole(await client(server).chat.completions.create(asked(task)), told);
}

async function stream(server, task, told) {
  told.data = [];
  const chunks = await client(server).chat.completions.create({
    ...asked(task),
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const chunk of chunks) {
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

async function helper(server, task, told) {
  whole(await client(server).chat.completions.stream(asked(task)).finalChatCompletion(), told);
}

async function parse(server, task, told) {
  const found = await client(server).chat.completions.parse({
    ...asked(task),
    response_format: zodResponseFormat(Distance, "distance"),
  });
  whole(found, told);
  told.data = found.choices[0].message.parsed;
}

async function models(server, task, told) {
  told.data = [];
  for await (const model of client(server).models.list()) told.data.push(model);
}

async function model(server, task, told) {
  told.data = await client(server).models.retrieve(task.model);
}

async function embeddings(server, task, told) {
  const found = await client(server).embeddings.create({
    model: task.model,
    input: ["ışık", task.content],
    ...(task.encoding ? { encoding_format: task.encoding } : {}),
  });
  told.data = found.data.map((row) => row.embedding);
  told.usage = found.usage;
}

function response(found, told) {
  told.text = found.output_text;
  told.finish = found.status;
  told.sources = found.output.flatMap((item) => item.content ?? []).flatMap((p) => p.annotations ?? []);
  told.usage = found.usage ?? null;
  told.error = found.error ?? null;
  told.data = found;
}

async function responses(server, task, told) {
  response(await client(server).responses.create({ model: task.model, input: task.content }), told);
}

async function responsesStream(server, task, told) {
  const kinds = [];
  told.data = { events: kinds };
  const events = client(server).responses.stream({ model: task.model, input: task.content });
  for await (const event of events) {
    kinds.push(event.type);
    if (event.type === "response.output_text.delta") told.text += event.delta;
  }
  response(await events.finalResponse(), told);
  told.data = { ...told.data, events: kinds };
}

await tell({
  create,
  stream,
  helper,
  parse,
  models,
  model,
  embeddings,
  responses,
  responses_stream: responsesStream,
});
