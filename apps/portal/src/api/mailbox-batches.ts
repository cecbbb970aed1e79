import { ApiProblem } from '@mailstead/client/api-problem';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import { Patience } from './patience.js';
import { sentence, sentenceOf, statusOf } from './problem.js';
import type { Bodies } from './shapes.js';

/** The API hashes at most so many passwords of one request. */
const PASSWORDS_OF_REQUEST = 20;
/** The API takes 500. With fewer the page can say how far it is. */
const ITEMS_OF_REQUEST = 100;
const ATTEMPTS = 6;
/** What another request is creating at this moment is 409; the others pass when the service has time. */
const PASSING = new Set(['idempotency_in_progress', 'hashing_busy', 'overloaded', 'busy', 'database_unavailable']);

/** A mailbox to create, with the line of the file that has it. */
export interface NewMailboxLine {
  line: number;
  body: Bodies['CreateMailboxBody'];
}

/** What one request creates. Sent again it creates nothing twice, because its key stays. */
export interface MailboxBatch {
  key: string;
  lines: NewMailboxLine[];
}

export interface MailboxOutcome {
  line: number;
  email: string;
  /** `present`: there was a mailbox with this address, and it stays as it is. */
  kind: 'added' | 'present' | 'refused';
  /** Why it was refused; empty otherwise. */
  reason: string;
}

interface Batches {
  batches: readonly MailboxBatch[];
  /** Gets the outcomes of each request. */
  onOutcomes: (outcomes: MailboxOutcome[]) => void;
  /** No request begins after it was aborted. */
  signal: AbortSignal;
}

/** Divides mailboxes into requests that the API takes, in their order. */
export function batchesOf(lines: readonly NewMailboxLine[]): MailboxBatch[] {
  const batches: MailboxBatch[] = [];
  let [items, passwords] = [ITEMS_OF_REQUEST, 0];
  for (const line of lines) {
    const hasPassword = line.body.password !== undefined;
    if (items >= ITEMS_OF_REQUEST || (hasPassword && passwords >= PASSWORDS_OF_REQUEST)) {
      batches.push({ key: crypto.randomUUID(), lines: [] });
      [items, passwords] = [0, 0];
    }
    batches.at(-1)?.lines.push(line);
    items += 1;
    if (hasPassword) passwords += 1;
  }
  return batches;
}

/**
 * Adds mailboxes, a request after the other. One that is refused stops no other. Afterwards the batches have no
 * passwords any more: nothing needs them then.
 */
export const addMailboxes = (domain: string) =>
  change({
    run: async ({ batches, onOutcomes, signal }: Batches) => {
      const patience = new Patience(signal);
      try {
        for (const batch of batches) {
          if (signal.aborted) return;
          onOutcomes(await outcomesOf(batch, patience));
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        for (const { body } of batches.flatMap(({ lines }) => lines)) Object.assign(body, NO_SECRETS);
      }
    },
    touches: [keys.domain(domain), keys.me],
  });

const NO_SECRETS = { password: '', password_hash: '' };

/** @throws ApiProblem 401 when the session has ended; whatever ends the patience when it was aborted */
async function outcomesOf(batch: MailboxBatch, patience: Patience): Promise<MailboxOutcome[]> {
  try {
    return await send(batch, patience);
  } catch (error) {
    if (statusOf(error) === 401 || (error instanceof DOMException && error.name === 'AbortError')) throw error;
    return batch.lines.map(({ line, body }) => refusal(line, body.email, sentenceOf(error)));
  }
}

async function send({ key, lines }: MailboxBatch, patience: Patience): Promise<MailboxOutcome[]> {
  const body = { items: lines.map((line) => line.body) };
  for (let attempt = 1; ; attempt += 1) {
    const { data = [] } = await patience.call(() =>
      api.POST('/users/bulk', { body, headers: { 'Idempotency-Key': key } }),
    );
    const isBusy = data.some(({ problem }) => PASSING.has(codeIn(problem)));
    if (!isBusy || attempt >= ATTEMPTS)
      return lines.map(({ line, body: { email } }, index) => outcomeOf(line, email, data[index]?.problem));
    patience.wait(null, attempt);
  }
}

function outcomeOf(line: number, email: string, problem: Record<string, unknown> | undefined): MailboxOutcome {
  if (problem === undefined) return { line, email, kind: 'added', reason: '' };
  if (codeIn(problem) === 'mailbox_exists') return { line, email, kind: 'present', reason: '' };
  const { detail, errors } = ApiProblem.of(0, JSON.stringify(problem), null);
  const fields = errors.map(({ field, message }) => sentence(`${field} ${message}`)).join(' ');
  return refusal(line, email, fields === '' ? sentence(detail) : fields);
}

function refusal(line: number, email: string, reason: string): MailboxOutcome {
  return { line, email, kind: 'refused', reason };
}

function codeIn(problem: Record<string, unknown> | undefined): string {
  return typeof problem?.code === 'string' ? problem.code : '';
}
