import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endLink, linksQuery } from '../../api/links.js';
import type { PortalLink } from '../../api/shapes.js';
import { ConfirmByName } from '../../parts/confirm-by-name.js';
import { BeginButton, useDialog } from '../../parts/dialog-button.js';
import { TextLink } from '../../parts/links.js';
import { List } from '../../parts/list.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { StatusMark } from '../../parts/status-mark.js';
import { type Column, when } from '../../parts/table/column.js';
import { hasPassed, Time } from '../../parts/time.js';
import { useView } from '../frame/view.js';
import { LINK_KINDS } from './link-kinds.js';
import { MakeLink } from './make-link.js';

const FILE_COLUMNS = ['domain', 'partner_ref', 'scope', 'created_at', 'expires_at', 'used_at'] as const;

const COLUMNS: Column<PortalLink>[] = [
  {
    head: 'Domain',
    cell: ({ domain }) => (
      <TextLink to="/domains/$domain" params={{ domain }}>
        <NameAsRead name={domain} />
      </TextLink>
    ),
    by: ({ domain }) => domain,
  },
  { head: 'Shows', phone: 'bare', cell: ({ scope }) => LINK_KINDS[scope].short, by: ({ scope }) => scope },
  { head: 'State', phone: 'bare', cell: (link) => <LinkState link={link} /> },
  {
    head: 'Created',
    cell: ({ created_at }) => <Time at={created_at} relative />,
    by: ({ created_at }) => created_at,
  },
  { head: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} relative />, by: ({ expires_at }) => expires_at },
];

/** The links that let somebody without a key into the portal. */
export function LinksPage() {
  const { partnerRef, may } = useView();
  const mayEnd = may('deletePortalLinksLinkId');
  const [ending, setEnding] = useState<PortalLink | null>(null);
  const making = useDialog();
  const list = linksQuery(partnerRef);
  const query = useInfiniteQuery(list);
  return (
    <Page title="Links" actions={may('postPortalLinks') && <MakeLink dialog={making} />}>
      <List
        noun="link"
        query={query}
        file={{ name: 'links', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ id }) => id}
        columns={[...COLUMNS, ...when(mayEnd, endColumn(setEnding))]}
        empty={
          <Empty
            title="No links"
            action={may('postPortalLinks') && <BeginButton label="Create the first link" dialog={making} />}
          >
            A link lets a customer see the DNS records of a domain, or manage it, without a key. It ends by itself.
          </Empty>
        }
      />
      {ending !== null && <EndLink link={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function endColumn(onEnd: (link: PortalLink) => void): Column<PortalLink> {
  return {
    head: 'Change',
    phone: 'bare',
    cell: (link) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`End link ${link.id} of ${link.domain}`}
        onClick={() => onEnd(link)}
      >
        End
      </Button>
    ),
  };
}

function LinkState({ link: { used_at, expires_at } }: { link: PortalLink }) {
  if (hasPassed(expires_at)) return <StatusMark mark="none">Expired</StatusMark>;
  return used_at === null ? (
    <StatusMark mark="wait">Not used yet</StatusMark>
  ) : (
    <StatusMark mark="good">Used</StatusMark>
  );
}

function EndLink({ link: { id, domain }, onClose }: { link: PortalLink; onClose: () => void }) {
  return (
    <ConfirmByName
      opened
      name={domain}
      title={`End a link to ${domain}?`}
      action="End"
      consequence="Whoever entered with this link is logged out at once, and it cannot be used again."
      onClose={onClose}
      change={endLink(id)}
    />
  );
}
