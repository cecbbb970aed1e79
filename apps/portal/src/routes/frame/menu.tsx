import { useMatchRoute } from '@tanstack/react-router';
import { useCaller } from '../../api/session.js';
import { MenuLink } from '../../parts/links.js';
import { screensOf } from './screens.js';

export function Menu({ onNavigate }: { onNavigate: () => void }) {
  const matches = useMatchRoute();
  return screensOf(useCaller()).map(({ to, label, Icon }) => (
    <MenuLink
      key={to}
      to={to}
      label={label}
      icon={<Icon size={18} stroke={1.5} aria-hidden />}
      isActive={matches({ to, fuzzy: to !== '/' }) !== false}
      onClick={onNavigate}
    />
  ));
}
