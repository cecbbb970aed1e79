/** One measured value and its target. */
export interface Row {
  what: string;
  measured: string;
  /** Empty: there is none. */
  target: string;
  held: boolean;
  /** The numbers of `measured` that pictures and wide tables of `docs/performance.md` are made from. */
  values?: Record<string, number>;
}

/** The measured values of a step, in their order. */
export class Report {
  readonly rows: Row[] = [];

  note(what: string, measured: string, target: string, held: boolean, values?: Record<string, number>): void {
    this.rows.push({ what, measured, target, held, ...(values === undefined ? {} : { values }) });
    console.log(`${held ? 'ok  ' : 'MISS'} ${what}: ${measured}${target === '' ? '' : ` (${target})`}`);
  }
}
