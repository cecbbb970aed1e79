import { Button, Group, Stack, Table } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mailboxesQuery } from '../../../api/mailboxes.js';
import type { Mailbox } from '../../../api/shapes.js';
import { BeginButton, useDialog } from '../../../parts/dialog-button.js';
import { TextLink } from '../../../parts/links.js';
import { List } from '../../../parts/list.js';
import { ListSearch } from '../../../parts/list-search.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { formatMegabytes } from '../../../parts/numbers.js';
import { Empty } from '../../../parts/states.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { AddMailbox } from './add-mailbox.js';
import { AddFromFile } from './file/add-from-file.js';

const FILE_COLUMNS = [
  'email',
  'name',
  'quota_mb',
  'outbound_daily_limit',
  'active',
  'external_ref',
  'created_at',
] as const;

/** The mailboxes of a domain. */
export function MailboxesPage() {
  const domain = useDomainName();
  const { caller, may } = useView();
  const [q, setQ] = useState('');
  const adding = useDialog();
  const list = mailboxesQuery(domain, q);
  const query = useInfiniteQuery(list);
  const [isFromFile, setIsFromFile] = useState(false);
  if (isFromFile) return <AddFromFile domain={domain} onClose={() => setIsFromFile(false)} />;
  return (
    <Stack>
      <Group gap="xs">
        <ListSearch label={t('mailbox.search')} onSearch={setQ} />
        {caller.link === null && may('postUsersBulk') && (
          <Button
            variant="default"
            leftSection={<IconFileUpload size={16} aria-hidden />}
            onClick={() => setIsFromFile(true)}
          >
            Add from a file
          </Button>
        )}
        {may('postUsers') && <AddMailbox domain={domain} dialog={adding} />}
      </Group>
      <List
        noun={t('mailbox.one')}
        nouns={t('mailbox.many')}
        query={query}
        file={{ name: `mailboxes-${domain}`, everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={[
          t('mailbox.address'),
          t('mailbox.name'),
          t('mailbox.storage'),
          t('mailbox.state'),
          t('mailbox.added'),
        ]}
        row={(mailbox) => <Row key={mailbox.id} domain={domain} mailbox={mailbox} />}
        empty={
          q === '' ? (
            <Empty
              title={t('mailbox.noneYet')}
              action={may('postUsers') && <BeginButton label={t('mailbox.addFirst')} dialog={adding} />}
            >
              {t('mailbox.noneYetWhat')}
            </Empty>
          ) : (
            <Empty title={t('mailbox.noMatch')} />
          )
        }
      />
    </Stack>
  );
}

function Row({ domain, mailbox }: { domain: string; mailbox: Mailbox }) {
  const { email, name, quota_mb, active, created_at } = mailbox;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/domains/$domain/mailboxes/$email" params={{ domain, email }}>
          <NameAsRead name={email} />
        </TextLink>
      </Table.Td>
      <Table.Td>{name ?? '–'}</Table.Td>
      <Table.Td>{quota_mb === 0 ? t('page.unlimited') : formatMegabytes(quota_mb)}</Table.Td>
      <Table.Td>
        <StatusMark mark={active ? 'good' : 'none'}>{t(active ? 'mailbox.active' : 'mailbox.noLogin')}</StatusMark>
      </Table.Td>
      <Table.Td>
        <Time at={created_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
