// Vercel's AI SDK with the provider that the first argument names.

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, Output, streamText, tool } from "ai";
import { z } from "zod";

import { problem, tell } from "./telling.mjs";

const Distance = z.object({ metres: z.number().int(), reason: z.string() });

const providers = {
  openai: ({ url, key }) => createOpenAI({ baseURL: url, apiKey: key }).chat,
  "openai-responses": ({ url, key }) => createOpenAI({ baseURL: url, apiKey: key }).responses,
  "openai-compatible": ({ url, key }) =>
    createOpenAICompatible({
      name: "docrag",
      baseURL: url,
      apiKey: key,
      includeUsage: true,
      supportsStructuredOutputs: true,
    }),
};
const provider = providers[process.argv[2]];

/** The arguments of both calls; nothing is tried twice. */
function asked(server, { model, content, tools }) {
  const named = (tools ?? []).map(({ function: f }) => [
    f.name,
    tool({ description: f.description, inputSchema: jsonSchema(f.parameters) }),
  ]);
  return {
    model: provider(server)(model),
    prompt: content,
    maxRetries: 0,
    ...(tools ? { tools: Object.fromEntries(named), toolChoice: "required" } : {}),
  };
}

const call = ({ toolName, input }) => ({ function: { name: toolName }, arguments: input });

async function create(server, task, told) {
  const found = await generateText(asked(server, task));
  told.text = found.text;
  told.finish = found.finishReason;
  told.reasoning = found.reasoningText ?? "";
  told.sources = found.sources;
  told.tools = found.toolCalls.map(call);
  told.usage = found.usage;
}

async function stream(server, task, told) {
  const found = streamText({ ...asked(server, task), onError: () => {} });
  for await (const part of found.fullStream) {
    if (part.type === "text-delta") told.text += part.text;
    else if (part.type === "reasoning-delta") told.reasoning += part.text;
    else if (part.type === "source") told.sources.push(part);
    else if (part.type === "tool-call") told.tools.push(call(part));
    else if (part.type === "error") told.error = problem(part.error);
    else if (part.type === "finish") {
      told.finish = part.finishReason;
      told.usage = part.totalUsage;
    }
  }
}

async function parse(server, task, told) {
  const output = Output.object({ schema: Distance });
  told.data = (await generateText({ ...asked(server, task), output })).output;
}

await tell({ create, stream, parse });
