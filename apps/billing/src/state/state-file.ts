import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readTime } from '@mailstead/core/read-time';
import type { KeyedLocks } from '../locks/keyed-locks.js';
import { replaceFile } from './replace-file.js';

const FILE = 'state.json';
const LOCK = 'state';

interface Suspension {
  domain: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** All that the billing process keeps. */
export interface BillingState {
  /** When the brake stopped the suspensions, ISO 8601, UTC; null while they go on. */
  stoppedAt: string | null;
  /** The suspensions of the last hour. */
  suspensions: Suspension[];
  /** The domains with a reference to a subscription, counted by the last complete comparison; 0 before the first. */
  billedDomains: number;
}

const EMPTY: Readonly<BillingState> = { stoppedAt: null, suspensions: [], billedDomains: 0 };

/** `state.json` exists and is not what this program writes. */
export class StateUnreadable extends Error {
  constructor(reason: string) {
    super(`state.json cannot be read: ${reason}`);
    this.name = 'StateUnreadable';
  }
}

/** `state.json` in the data folder: each change is atomic, synced and made under a lock of all processes. */
export class StateFile {
  private readonly path: string;

  constructor(
    folder: string,
    private readonly locks: KeyedLocks,
  ) {
    this.path = join(folder, FILE);
  }

  /**
   * Reads the file. A missing file is an empty state.
   *
   * @throws StateUnreadable
   */
  async read(): Promise<BillingState> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return structuredClone(EMPTY);
      throw new StateUnreadable(message);
    }
    return parseState(text);
  }

  /**
   * Changes the state in place; `change` returns the result. The file is written when the state differs.
   *
   * @throws StateUnreadable; Error when the file cannot be written, then nothing is changed
   */
  change<T>(change: (state: BillingState) => T): Promise<T> {
    return this.locks.run(LOCK, async () => {
      const state = await this.read();
      const before = JSON.stringify(state);
      const result = change(state);
      if (JSON.stringify(state) !== before) await this.write(state);
      return result;
    });
  }

  /** Begins with an empty list of suspensions and without a stop. An unreadable file is kept beside the new one. */
  async reset(now: Date): Promise<void> {
    await this.locks.run(LOCK, async () => {
      let billedDomains = 0;
      try {
        ({ billedDomains } = await this.read());
      } catch (error) {
        if (!(error instanceof StateUnreadable)) throw error;
        await rename(this.path, `${this.path}.unreadable-${now.getTime()}`);
      }
      await this.write({ ...structuredClone(EMPTY), billedDomains });
    });
  }

  private write(state: BillingState): Promise<void> {
    return replaceFile(this.path, `${JSON.stringify(state)}\n`);
  }
}

function parseState(text: string): BillingState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StateUnreadable('it is not JSON');
  }
  if (!isState(value)) throw new StateUnreadable('it has other fields');
  return value;
}

function isState(value: unknown): value is BillingState {
  if (typeof value !== 'object' || value === null) return false;
  const { stoppedAt, suspensions, billedDomains } = value as Partial<Record<keyof BillingState, unknown>>;
  return (
    (stoppedAt === null || isTime(stoppedAt)) &&
    Array.isArray(suspensions) &&
    suspensions.every(isSuspension) &&
    Number.isSafeInteger(billedDomains) &&
    Number(billedDomains) >= 0
  );
}

function isSuspension(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { domain, at } = value as Partial<Record<keyof Suspension, unknown>>;
  return typeof domain === 'string' && isTime(at);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && readTime(value) !== null;
}
