import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../report.js';

/** What one part of a bench measured, and where. */
export interface Run {
  /** `mariadb`, or the name of a load. */
  part: string;
  /** As `2026-11-26`. */
  date: string;
  /** The model of the processor. */
  machine: string;
  cores: number;
  /** As `v20.20.2`. */
  node: string;
  /** The load of the machine (one minute) when the part began. */
  load?: number;
  /** The variables of the environment that make a run shorter. */
  settings?: Record<string, string>;
  /** What a person adds: what else ran, or what was different. */
  comment?: string;
  rows: Row[];
}

/**
 * The runs of each file of `packages/bench/results`, by its name without `.json`: the bench, and `-node-24` for another
 * Node.
 */
export type Results = ReadonlyMap<string, readonly Run[]>;

export function readResults(folder: string): Results {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  return new Map(names.map((name) => [name, readRuns(folder, name)]));
}

/** Replaces the run of the same part. */
export function storeRun(folder: string, name: string, run: Run): void {
  const runs = readRuns(folder, name);
  const index = runs.findIndex(({ part }) => part === run.part);
  runs.splice(index === -1 ? runs.length : index, index === -1 ? 0 : 1, run);
  // A kill in the middle leaves the former file.
  const draft = `${fileOf(folder, name)}.draft`;
  writeFileSync(draft, `${JSON.stringify(runs, null, 2)}\n`);
  renameSync(draft, fileOf(folder, name));
}

function readRuns(folder: string, name: string): Run[] {
  const file = fileOf(folder, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run[]) : [];
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}
