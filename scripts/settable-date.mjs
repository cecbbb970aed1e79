// @ts-check
// `node --import=scripts/settable-date.mjs program`: the program's clock is set by the file that
// SETTABLE_DATE names. The file holds two numbers: the time to begin with, and the real time at which it was written.
// From there the clock runs on. The monotonic clock follows it, because a service whose clock leaps runs no jobs. Only
// for pictures of a service with a past: `npm run pictures`.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env.SETTABLE_DATE;
if (file === undefined) throw new Error('SETTABLE_DATE names no file');

function now() {
  const [begin = 0, writtenAt = 0] = readFileSync(String(file), 'utf8').split(' ').map(Number);
  return begin + RealDate.now() - writtenAt;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

const startedAt = now();
performance.now = () => now() - startedAt;
