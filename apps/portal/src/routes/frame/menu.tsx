import { useMatchRoute } from '@tanstack/react-router';
import { useId } from 'react';
import { useCaller } from '../../api/session.js';
import { MenuLink } from '../../parts/links.js';
import { type Group, type MenuScreen, screensOf } from './screens.js';

const LABELS: { group: Group; label: string }[] = [
  { group: 'access', label: 'Access' },
  { group: 'operation', label: 'Operation' },
];

/** What is used daily, and below it what is set up and what the operator runs. */
export function Menu({ onNavigate }: { onNavigate: () => void }) {
  const screens = screensOf(useCaller());
  const of = (wanted: Group) => screens.filter(({ group }) => group === wanted);
  return (
    <>
      <Links screens={of('daily')} onNavigate={onNavigate} />
      {LABELS.filter(({ group }) => of(group).length > 0).map(({ group, label }) => (
        <Labelled key={group} label={label} screens={of(group)} onNavigate={onNavigate} />
      ))}
    </>
  );
}

interface LinksProps {
  screens: MenuScreen[];
  onNavigate: () => void;
}

function Labelled({ label, ...links }: LinksProps & { label: string }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className="portal-menu-label">
        {label}
      </div>
      <Links {...links} />
    </div>
  );
}

function Links({ screens, onNavigate }: LinksProps) {
  const matches = useMatchRoute();
  return screens.map(({ to, label }) => (
    <MenuLink
      key={to}
      to={to}
      label={label}
      isActive={matches({ to, fuzzy: to !== '/' }) !== false}
      onClick={onNavigate}
    />
  ));
}
