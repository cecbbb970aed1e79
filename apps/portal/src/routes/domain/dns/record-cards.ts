import type { DnsCheck, DnsCheckRow } from '../../../api/shapes.js';

/** Checks of the same kind, which are shown on one card: the three keys of DKIM, or one record. */
export interface RecordCard {
  /** mx, spf, verification, dkim, dmarc, mta_sts or tls_rpt. */
  record: string;
  required: boolean;
  /** At least one. */
  rows: DnsCheckRow[];
}

export interface SortedChecks {
  /** What is required and is not right, or is right with a warning. */
  needed: RecordCard[];
  /** The same of what is not required. */
  advice: RecordCard[];
  /** What the platform will require once its mail servers are set up, with invented values. */
  examples: RecordCard[];
  /** What is right. */
  right: RecordCard[];
  /** What is wrong although there is nothing to publish, such as keys that do not exist yet. */
  notes: DnsCheckRow[];
}

/** Sorts the checks by what the reader has to do. A check without records to publish has no card. */
export function sortChecks({ checks }: Pick<DnsCheck, 'checks'>): SortedChecks {
  const shown = checks.filter(({ records }) => records.length > 0);
  const cards = cardsOf(shown.filter(({ example }) => example !== true));
  const open = cards.filter((card) => !isRight(card));
  return {
    needed: open.filter(({ required }) => required),
    advice: open.filter(({ required }) => !required),
    examples: cardsOf(shown.filter(({ example }) => example === true)),
    right: cards.filter(isRight),
    notes: checks.filter((row) => row.records.length === 0 && isNote(row)),
  };
}

export function isRowRight({ status, warnings }: DnsCheckRow): boolean {
  return status === 'ok' && warnings.length === 0;
}

function cardsOf(rows: DnsCheckRow[]): RecordCard[] {
  const cards = new Map<string, RecordCard>();
  for (const row of rows) {
    const card = cards.get(row.record) ?? { record: row.record, required: row.required, rows: [] };
    card.rows.push(row);
    cards.set(row.record, card);
  }
  return [...cards.values()];
}

function isRight({ rows }: RecordCard): boolean {
  return rows.every(isRowRight);
}

/** What is there in place of a missing record was meant as one. */
function isNote({ status, required, warnings, found }: DnsCheckRow): boolean {
  const isMisspelled = status === 'missing' && found.length > 0;
  return status === 'mismatch' || isMisspelled || warnings.length > 0 || (required && status !== 'ok');
}
