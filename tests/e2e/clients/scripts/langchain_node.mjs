// LangChain for JavaScript with its package for OpenAI; `responses` chooses the newer API.

import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

import { tell } from "./telling.mjs";

const Distance = z.object({ metres: z.number().int(), reason: z.string() });

/** A chat model that never tries twice, with the case's tools. */
function chat({ url, key }, { model, tools }) {
  const found = new ChatOpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    timeout: 60_000,
    useResponsesApi: process.argv[2] === "responses",
    configuration: { baseURL: url },
  });
  return tools ? found.bindTools(tools, { tool_choice: "required" }) : found;
}

function message(found, told) {
  told.text = found.text;
  told.finish = found.response_metadata.finish_reason ?? found.response_metadata.status ?? null;
  told.reasoning = found.additional_kwargs.reasoning_content ?? "";
  told.tools = (found.tool_calls ?? []).map(({ name, args }) => ({
    function: { name },
    arguments: args,
  }));
  told.usage = found.usage_metadata ?? null;
}

async function create(server, task, told) {
  message(await chat(server, task).invoke(task.content), told);
}

async function stream(server, task, told) {
  let total;
  for await (const chunk of await chat(server, task).stream(task.content)) {
    total = total ? total.concat(chunk) : chunk;
    told.text = total.text;
  }
  message(total, told);
}

async function parse(server, task, told) {
  const model = chat(server, task).withStructuredOutput(Distance, { method: "jsonSchema" });
  told.data = await model.invoke(task.content);
}

await tell({ create, stream, parse });
