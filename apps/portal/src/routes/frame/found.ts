import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { foundQuery } from '../../api/found.js';
import type { Domain } from '../../api/shapes.js';
import { hasPage } from '../../parts/partner-link.js';
import { asRead } from '../../parts/unicode-name.js';
import { screensOf } from './screens.js';
import { useView } from './view.js';

const TYPING_MS = 150;

interface Found {
  key: string;
  name: string;
  note?: string;
  /** Of a domain, whose state is shown. */
  domain?: Domain;
  go: () => void;
}

export interface FoundThings {
  groups: { label: string; items: Found[] }[];
  /**
   * Whether the service has answered for this text. Before, the domains, mailboxes and partners are those of a former
   * text.
   */
  isComplete: boolean;
}

/** Finds what matches the text: screens and actions at once, the rest as the service answers. */
export function useFound(text: string): FoundThings {
  const { caller, may } = useView();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const things = useQuery(foundQuery(asked, caller));
  const screens = screensOf(caller).map(
    ({ to, label }): Found => ({ key: to, name: label, go: () => void navigate({ to }) }),
  );
  const actions: Found[] = [
    ...(may('postDomains')
      ? [{ key: 'add', name: 'Add domains', go: () => void navigate({ to: '/domains/add' }) }]
      : []),
    ...(may('postApiKeys')
      ? [{ key: 'partner', name: 'Add partner', go: () => void navigate({ to: '/operator/add-partner' }) }]
      : []),
  ];
  const { domains = [], addresses = [], partners = [] } = text === '' ? {} : (things.data ?? {});
  const groups = [
    {
      label: 'Domains',
      items: domains.map((domain): Found => {
        const { name } = domain;
        return {
          key: name,
          ...named(name),
          domain,
          go: () => void navigate({ to: '/domains/$domain', params: { domain: name } }),
        };
      }),
    },
    {
      label: 'Mailboxes',
      items: addresses.map((email): Found => {
        const params = { domain: email.slice(email.lastIndexOf('@') + 1), email };
        return {
          key: email,
          ...named(email),
          go: () => void navigate({ to: '/domains/$domain/mailboxes/$email', params }),
        };
      }),
    },
    {
      label: 'Partners',
      items: partners
        .filter(({ partner_ref }) => hasPage(partner_ref))
        .map(({ partner_ref: partner, name }): Found => {
          const go = () => void navigate({ to: '/operator/partners/$partner', params: { partner } });
          return { key: partner, name: partner, ...(name === null ? {} : { note: name }), go };
        }),
    },
    { label: 'Screens', items: matching(screens, text) },
    { label: 'Actions', items: matching(actions, text) },
  ];
  const isComplete = text === '' || (asked === text && !things.isFetching);
  return { groups: groups.filter(({ items }) => items.length > 0), isComplete };
}

/** An international name has the stored one below it. */
function named(name: string): Pick<Found, 'name' | 'note'> {
  const read = asRead(name);
  return read === null ? { name } : { name: read, note: name };
}

function matching(items: Found[], text: string): Found[] {
  return items.filter(({ name }) => name.toLowerCase().includes(text));
}
