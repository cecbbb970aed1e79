import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/**
 * Lets a wide table scroll by itself, also by keyboard: not every table has something to focus. It is a scroll
 * container only while the table is too wide, because the heads of a table stick to the nearest one.
 */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild ?? null;
    if (outer === null || inner === null) return undefined;
    const measure = () => setIsWide(inner.getBoundingClientRect().width > outer.getBoundingClientRect().width + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      role="group"
      className="portal-scroll"
      aria-label={label}
      data-wide={isWide || undefined}
      tabIndex={isWide ? 0 : undefined}
    >
      {children}
    </div>
  );
}
