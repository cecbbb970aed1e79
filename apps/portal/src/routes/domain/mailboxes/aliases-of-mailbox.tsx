import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { aliasesToQuery } from '../../../api/aliases.js';
import { rowsOf } from '../../../api/paged-list.js';
import { TextLink } from '../../../parts/links.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { TooMany } from '../../../parts/states.js';
import { namedInText } from '../../../parts/unicode-name.js';
import { t } from '../../../texts/texts.js';

/** The other addresses whose mail arrives here. */
export function AliasesOfMailbox({ domain, email }: { domain: string; email: string }) {
  const query = useInfiniteQuery(aliasesToQuery(domain, email));
  return (
    <Section
      title={t('mailbox.aliasesHere')}
      actions={
        <TextLink to="/domains/$domain/aliases" params={{ domain }} size="sm">
          {t('mailbox.allAliases')}
        </TextLink>
      }
    >
      <Queried query={query}>
        {(data) => {
          const rows = rowsOf(data);
          if (rows.length === 0) return <Text size="sm">{t('mailbox.noAliases')}</Text>;
          return (
            <Stack gap={4}>
              {rows.map(({ id, address, catch_all }) => (
                <Text key={id} size="sm">
                  {catch_all ? (
                    t('mailbox.everyOther', { address: namedInText(address) })
                  ) : (
                    <NameAsRead name={address} />
                  )}
                </Text>
              ))}
              {query.hasNextPage && <TooMany shown={rows.length} what={t('alias.many')} />}
            </Stack>
          );
        }}
      </Queried>
    </Section>
  );
}
