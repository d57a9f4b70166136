// Reads the cases from standard input, does them at once, and writes what happened as JSON.

import { text } from "node:stream/consumers";

/** What is told of a case before anything happened. */
const empty = () => ({
  text: "",
  finish: null,
  reasoning: "",
  sources: [],
  tools: [],
  usage: null,
  data: null,
  error: null,
});

/** An error as the client shows it. */
export const problem = (error) => ({
  type: error?.name === "Error" ? (error?.constructor?.name ?? "Error") : (error?.name ?? "Error"),
  status: error?.status ?? error?.statusCode ?? null,
  code: error?.code ?? null,
  message: String(error?.message ?? error).slice(0, 2000),
});

/** Do every case with the call that it names; what was filled in before an error stays. */
export async function tell(calls) {
  const plan = JSON.parse(await text(process.stdin));
  const found = {};
  const waiting = [...plan.cases];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const told = (found[next.case] = empty());
      try {
        await calls[next.how]({ url: plan.url, key: next.key ?? plan.key }, next, told);
      } catch (error) {
        told.error = problem(error);
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  process.stdout.write(JSON.stringify(found));
}
