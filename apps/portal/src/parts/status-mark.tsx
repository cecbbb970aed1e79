export type Mark = 'good' | 'wait' | 'bad' | 'warn' | 'none';

const COLOURS = { good: 'good', wait: 'wait', warn: 'wait', bad: 'bad', none: 'off' } as const satisfies Record<
  Mark,
  string
>;

/** A state as a pill on the line of the text beside it. Its word says what the colour does. */
export function StatusMark({ mark, children }: { mark: Mark; children: string }) {
  return (
    <span className={`portal-pill portal-pill-${COLOURS[mark]}`}>
      <span>{children}</span>
    </span>
  );
}
