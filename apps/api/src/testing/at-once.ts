/** The status of a request that is refused for lack of time: `busy` or `database_unavailable`, with `Retry-After`. */
const REFUSED = 503;
/** One of so many requests may be refused. */
const ONE_OF = 100;

type Answer = number | { status: number };

/**
 * Sends requests at once, and repeats those that are refused for lack of time, as callers do.
 * @returns the answers, in the order of the requests: statuses, or what has one
 * @throws Error when more than one of 100 was refused
 */
export async function atOnce<T extends Answer>(requests: readonly (() => PromiseLike<T>)[]): Promise<T[]> {
  const most = Math.ceil(requests.length / ONE_OF);
  let refused = 0;
  const untilAnswered = async (send: () => PromiseLike<T>): Promise<T> => {
    for (;;) {
      const answer = await send();
      if (statusOf(answer) !== REFUSED) return answer;
      refused += 1;
      if (refused > most) throw new Error(`${refused} of ${requests.length} requests were refused for lack of time`);
    }
  };
  return Promise.all(requests.map(untilAnswered));
}

/** Sends as many requests at once, each made from its index. */
export function manyAtOnce<T extends Answer>(count: number, send: (index: number) => PromiseLike<T>): Promise<T[]> {
  return atOnce(Array.from({ length: count }, (_, index) => () => send(index)));
}

function statusOf(answer: Answer): number {
  return typeof answer === 'number' ? answer : answer.status;
}
