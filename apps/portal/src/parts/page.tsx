import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { NameAsRead } from './name-as-read.js';
import { useTitle } from './site-name.js';
import { namedInText } from './unicode-name.js';

/**
 * The head of a screen: its title, also of the browser's tab, and its main actions. A name is shown as people read it.
 * Takes the focus on arrival, unless a field of the screen wants it (`data-autofocus`).
 */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const inText = namedInText(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(inText);
  useEffect(() => {
    const field = heading.current?.closest('main')?.querySelector<HTMLElement>('[data-autofocus]');
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, [inText]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="center">
        <Title order={1} ref={heading} tabIndex={-1}>
          <NameAsRead name={title} />
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  title: string;
  /** What a link to this part has behind `#`. */
  id?: string;
  actions?: ReactNode;
  /** None: the head is the whole part. */
  children?: ReactNode;
}

/** A titled part of a screen: a card, but within another card or a dialog. */
export function Section({ title, id, actions, children }: SectionProps) {
  return (
    <Card label={title} id={id}>
      <div className="portal-card-head">
        <Title order={2}>{title}</Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </div>
      {children !== undefined && (
        <Stack gap="xs" className="portal-card-body">
          {children}
        </Stack>
      )}
    </Card>
  );
}

interface CardProps {
  /** Names the part for screen readers, when its content does not. */
  label?: string;
  id?: string | undefined;
  children: ReactNode;
}

/** A part of a screen without a visible title. What needs a margin stands in `portal-card-body`. */
export function Card({ label, id, children }: CardProps) {
  return (
    <section className="portal-card" aria-label={label} id={id}>
      {children}
    </section>
  );
}

/** Cards beside each other, and below each other where there is no room. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="portal-columns">{children}</div>;
}
