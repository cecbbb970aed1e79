interface Row {
  what: string;
  measured: string;
  target: string;
  held: boolean;
}

/** The measured values and their targets. */
export class Report {
  private readonly rows: Row[] = [];

  note(what: string, measured: string, target: string, held: boolean): void {
    this.rows.push({ what, measured, target, held });
    console.log(`${held ? 'ok  ' : 'MISS'} ${what}: ${measured} (${target})`);
  }

  /** The table of `docs/performance.md`. */
  table(): string {
    const lines = this.rows.map(
      ({ what, measured, target, held }) => `| ${what} | ${measured} | ${target} | ${held ? 'yes' : '**no**'} |`,
    );
    return ['| what | measured | target | held |', '| --- | --- | --- | --- |', ...lines].join('\n');
  }
}
