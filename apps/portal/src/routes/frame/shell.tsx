import type { ReactNode } from 'react';

interface ShellParts {
  header: ReactNode;
  /** The menu beside the content; none: the content has the whole width. */
  menu?: ReactNode;
  /** On a phone the menu covers the content while it is open. */
  isMenuOpen?: boolean;
  children: ReactNode;
}

/** Where the parts of every page stand. Mantine's component for it has 9 kB (gzip). */
export function Shell({ header, menu, isMenuOpen = false, children }: ShellParts) {
  return (
    <div className="portal-shell" data-with-menu={menu !== undefined || undefined}>
      <header className="portal-head">{header}</header>
      {menu !== undefined && (
        <nav className="portal-menu" aria-label="Screens" data-open={isMenuOpen || undefined}>
          {menu}
        </nav>
      )}
      {children}
    </div>
  );
}
