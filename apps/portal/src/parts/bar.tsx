interface BarProps {
  /** Between 0 and 1; what is above is shown as 1. */
  share: number;
  /** For screen readers. */
  label: string;
  /** `wait` and `bad`, as the colours of states mean it. */
  severity?: 'wait' | 'bad' | undefined;
}

/** How much of something is used or done. Mantine's component for it has 1 kB, and Home has one. */
export function Bar({ share, label, severity }: BarProps) {
  const percent = Math.min(100, Math.round(share * 100));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="portal-bar"
    >
      <div style={{ width: `${percent}%`, background: severity && `var(--portal-${severity})` }} />
    </div>
  );
}
