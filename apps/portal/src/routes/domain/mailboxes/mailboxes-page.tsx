import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileUpIcon } from 'lucide-react';
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
import type { Column } from '../../../parts/table/column.js';
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
            leftSection={<FileUpIcon size={16} aria-hidden />}
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
        keyOf={({ id }) => id}
        columns={mailboxColumns(domain)}
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

function mailboxColumns(domain: string): Column<Mailbox>[] {
  return [
    {
      head: t('mailbox.address'),
      isLong: true,
      cell: ({ email }) => (
        <TextLink to="/domains/$domain/mailboxes/$email" params={{ domain, email }}>
          <NameAsRead name={email} />
        </TextLink>
      ),
      by: ({ email }) => email,
    },
    { head: t('mailbox.name'), phone: 'bare', cell: ({ name }) => name, by: ({ name }) => name },
    {
      head: t('mailbox.storage'),
      align: 'end',
      phone: 'bare',
      cell: ({ quota_mb }) => (quota_mb === 0 ? t('page.unlimited') : formatMegabytes(quota_mb)),
      by: ({ quota_mb }) => (quota_mb === 0 ? Number.POSITIVE_INFINITY : quota_mb),
    },
    {
      head: t('mailbox.state'),
      phone: 'bare',
      cell: ({ active }) => (
        <StatusMark mark={active ? 'good' : 'none'}>{t(active ? 'mailbox.active' : 'mailbox.noLogin')}</StatusMark>
      ),
      by: ({ active }) => Number(active),
    },
    {
      head: t('mailbox.added'),
      cell: ({ created_at }) => <Time at={created_at} relative="day" />,
      by: ({ created_at }) => created_at,
    },
  ];
}
