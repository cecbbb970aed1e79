import { Group, Select, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Suppression } from '../../api/shapes.js';
import { suppressionsQuery } from '../../api/suppressions.js';
import { BeginButton, useDialog } from '../../parts/dialog-button.js';
import { List } from '../../parts/list.js';
import { ListSearch } from '../../parts/list-search.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { Empty } from '../../parts/states.js';
import { type Column, when } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { Time } from '../../parts/time.js';
import { t } from '../../texts/texts.js';
import { useView } from '../frame/view.js';
import { CreateSuppressions } from './create-suppressions.js';
import { LiftSuppression } from './lift-suppression.js';
import { SUPPRESSION_REASONS } from './suppressions-search.js';

const FILE_COLUMNS = ['address', 'domain', 'reason', 'note', 'since', 'expires_at', 'provider'] as const;

interface SuppressionListProps {
  /** Undefined: those of all domains, and of the partner as a whole. */
  domain: string | undefined;
  reason: Suppression['reason'] | undefined;
  onReason: (reason: Suppression['reason'] | undefined) => void;
}

/** The addresses to which is not sent, newest first. */
export function SuppressionList({ domain, reason, onReason }: SuppressionListProps) {
  const { caller, partnerRef, may } = useView();
  const [q, setQ] = useState('');
  const adding = useDialog();
  const list = suppressionsQuery({
    ...(domain === undefined ? {} : { domain }),
    ...(partnerRef === undefined || domain !== undefined ? {} : { partner_ref: partnerRef }),
    ...(reason === undefined ? {} : { reason }),
    ...(q === '' ? {} : { q }),
  });
  const query = useInfiniteQuery(list);
  const mayLift = may('deleteSuppressionsSuppressionId');
  // An operator adds for a domain: without one nobody would know the partner.
  const mayCreate = may('postSuppressions') && (caller.kind === 'client' || domain !== undefined);
  const isNarrow = q !== '' || reason !== undefined;
  return (
    <Stack>
      <Group gap="xs">
        <ListSearch label={t('suppression.search')} onSearch={setQ} />
        <Select
          aria-label={t('suppression.reason')}
          placeholder={t('suppression.anyReason')}
          data={SUPPRESSION_REASONS.map((each) => ({ value: each, label: t(`suppressed.${each}`) }))}
          value={reason ?? null}
          onChange={(value) => onReason(value ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': t('suppression.showAny') }}
          flex="0 1 260px"
        />
        {mayCreate && <CreateSuppressions domain={domain} dialog={adding} />}
      </Group>
      <List
        noun={t('suppression.one')}
        nouns={t('suppression.many')}
        query={query}
        file={{
          name: `suppressions${domain === undefined ? '' : `-${domain}`}`,
          everyPage: list.everyPage,
          columns: FILE_COLUMNS,
        }}
        keyOf={({ id }) => id}
        columns={suppressionColumns(mayLift)}
        empty={
          isNarrow ? (
            <Empty title={t('suppression.noMatch')} />
          ) : (
            <Empty
              title={t('suppression.none')}
              action={mayCreate && <BeginButton label={t('suppression.addFirst')} dialog={adding} />}
            >
              {t('suppression.noneWhat')}
            </Empty>
          )
        }
      />
    </Stack>
  );
}

function suppressionColumns(mayLift: boolean): Column<Suppression>[] {
  return [
    {
      head: t('suppression.address'),
      isLong: true,
      cell: ({ address }) => <NameAsRead name={address} />,
      by: ({ address }) => address,
    },
    {
      head: t('suppression.domain'),
      phone: 'bare',
      cell: ({ domain }) => (domain === null ? t('suppression.all') : <NameAsRead name={domain} />),
      by: ({ domain }) => domain,
    },
    {
      head: t('suppression.reason'),
      phone: 'bare',
      cell: ({ reason, note }) => (
        <>
          {t(`suppressed.${reason}`)}
          {note !== null && <Second>{note}</Second>}
        </>
      ),
      by: ({ reason }) => t(`suppressed.${reason}`),
    },
    { head: t('suppression.since'), cell: ({ since }) => <Time at={since} relative />, by: ({ since }) => since },
    {
      head: t('suppression.until'),
      cell: ({ expires_at }) => (expires_at === null ? t('suppression.forGood') : <Time at={expires_at} relative />),
      by: ({ expires_at }) => expires_at,
    },
    ...when<Suppression>(mayLift, {
      head: t('suppression.change'),
      phone: 'bare',
      cell: (suppression) => <LiftSuppression suppression={suppression} />,
    }),
  ];
}
