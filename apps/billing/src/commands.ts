import type { Billing } from './billing.js';
import type { ReconcileResult } from './reconcile/reconcile.js';
import { exportUsage } from './usage-export/export-usage.js';

const USAGE = `Usage: node apps/billing/dist/main.js [command]
  (none)                     receive events and compare everything every BILLING_RECONCILE_MINUTES
  reconcile [--dry-run]      compare all subscriptions with all domains now, and correct what differs
  resume                     suspend again after the brake stopped it
  export --month YYYY-MM     print the usage of a month as CSV, with the ids of Stripe`;

type Print = (sentence: string) => void;

/** Everything agrees, or was corrected. */
const DONE = 0;
/** Differences or alarms remain. */
const REMAINS = 2;

export type Command =
  | { name: 'serve' }
  | { name: 'reconcile'; isDryRun: boolean }
  | { name: 'resume' }
  | { name: 'export'; month: string };

/** @throws Error with the usage when the arguments are no command */
export function readCommand(args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined) return { name: 'serve' };
  if (name === 'resume' && rest.length === 0) return { name };
  if (name === 'reconcile' && (rest.length === 0 || (rest.length === 1 && rest[0] === '--dry-run'))) {
    return { name, isDryRun: rest.length === 1 };
  }
  const [flag, month = ''] = rest;
  if (name === 'export' && rest.length === 2 && flag === '--month' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    return { name, month };
  }
  throw new Error(USAGE);
}

/**
 * Runs a command.
 *
 * @param output receives its result
 * @returns the exit code: 0 done, 2 when differences or alarms remain
 * @throws Error when it could not be done: exit code 1
 */
export async function runCommand(
  command: Exclude<Command, { name: 'serve' }>,
  billing: Billing,
  output: NodeJS.WritableStream = process.stdout,
): Promise<number> {
  const print: Print = (sentence) => void output.write(`${sentence}\n`);
  if (command.name === 'resume') return resume(billing, print);
  await billing.api.checkToken();
  if (command.name === 'export') {
    await exportUsage(billing, command.month, output);
    return DONE;
  }
  const correct = !command.isDryRun;
  const result = await billing.reconcile.execute({ correct, print });
  print(summaryOf(result));
  return result.remaining + result.alarms === 0 ? DONE : REMAINS;
}

async function resume({ state }: Billing, print: Print): Promise<number> {
  await state.reset(new Date());
  print('Suspensions go on. The next comparison makes those that were held; "reconcile" makes them now.');
  return DONE;
}

function summaryOf(result: ReconcileResult): string {
  const { subscriptions, unrelated, billedDomains, corrected, remaining, alarms } = result;
  return (
    `${subscriptions} subscriptions (${unrelated} of other products), ${billedDomains} domains that store one: ` +
    `${corrected} differences mended, ${remaining} remain, ${alarms} alarms`
  );
}
