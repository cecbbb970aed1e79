import type { RelayOverview } from '@mailstead/core/relay/read-account';
import { Bool, Decimal, Integer, ListOf, ListOfText, Nested, Text, Time } from '../http/fields.js';
import { timestampOrNull } from '../http/timestamp.js';

class AccountResponse {
  @Bool({ description: 'Whether mail to every recipient is accepted; false in the sandbox of SES', example: true })
  production_access!: boolean;
  @Bool({ description: 'Whether the provider sends mail of the account', example: true }) sending_enabled!: boolean;
  @Text({ description: 'What the provider says of the account: HEALTHY, PROBATION or SHUTDOWN', example: 'HEALTHY' })
  enforcement!: string;
  @Decimal({ description: 'The messages that the account may send in 24 hours; -1 for no limit', example: 50_000 })
  quota_24h!: number;
  @Decimal({ description: 'The messages that the account sent in the last 24 hours', example: 1_200 })
  sent_24h!: number;
  @Decimal({ description: 'The messages that the account may send in a second', example: 14 }) max_per_second!: number;
}

class ConfigurationSetResponse {
  @Text({ description: 'The name of the set', example: 'mailstead' }) name!: string;
  @ListOfText({
    description: 'The events that its enabled destinations publish to SNS topics, in the words of SES',
    example: ['BOUNCE', 'COMPLAINT'],
  })
  events!: string[];
  @ListOfText({
    description: 'The ARNs of these topics',
    example: ['arn:aws:sns:eu-west-1:123456789012:ses-events'],
  })
  topics!: string[];
}

class IdentitiesResponse {
  @Integer({ description: 'Identities that have the configuration set of the settings', example: 120 })
  aligned!: number;
  @Integer({ description: 'Identities that get it with the next daily re-checks', example: 0 }) to_align!: number;
}

class RelayWarningResponse {
  @Text({ description: 'The name of the warning', example: 'relay_quota' }) name!: string;
  @Text({
    description: 'What is wrong, a sentence',
    example: '83 % of the sending quota of 24 hours at the relay provider is used',
  })
  detail!: string;
}

export class RelayStateResponse {
  @Text({ description: 'The name of the provider (`RELAY_PROVIDER`)', example: 'ses' }) provider!: string;
  @Nested(AccountResponse, {
    nullable: true,
    description: 'The account; null for a provider without one, and before the first check',
  })
  account!: AccountResponse | null;
  @Nested(ConfigurationSetResponse, {
    nullable: true,
    description: 'The configuration set; null when the provider does not know it or has no such thing',
  })
  configuration_set!: ConfigurationSetResponse | null;
  @Nested(IdentitiesResponse, { nullable: true, description: 'Null for a provider without configuration sets' })
  identities!: IdentitiesResponse | null;
  @Time({ nullable: true, description: 'When the first event about a message was accepted; null before' })
  first_event_at!: string | null;
  @Time({ nullable: true, description: 'When the last event about a message was accepted; null before' })
  last_event_at!: string | null;
  @Time({ nullable: true, description: 'When the account was last read; null before the first time' })
  checked_at!: string | null;
  @ListOf(RelayWarningResponse, { description: 'What needs somebody; the same as in `GET /health/ready`' })
  warnings!: RelayWarningResponse[];
}

export function presentRelay({ provider, state, identities, warnings }: RelayOverview): RelayStateResponse {
  const { account, configurationSet } = state.report ?? { account: null, configurationSet: null };
  const destinations = configurationSet?.destinations ?? [];
  return {
    provider,
    account:
      account === null
        ? null
        : {
            production_access: account.productionAccess,
            sending_enabled: account.sendingEnabled,
            enforcement: account.enforcement,
            quota_24h: account.quota24h,
            sent_24h: account.sent24h,
            max_per_second: account.maxPerSecond,
          },
    configuration_set:
      configurationSet === null
        ? null
        : {
            name: configurationSet.name,
            events: [...new Set(destinations.flatMap(({ events }) => events))],
            topics: [...new Set(destinations.map(({ topic }) => topic))],
          },
    identities: identities === null ? null : { aligned: identities.aligned, to_align: identities.toAlign },
    first_event_at: timestampOrNull(state.firstEventAt),
    last_event_at: timestampOrNull(state.lastEventAt),
    checked_at: timestampOrNull(state.checkedAt),
    warnings,
  };
}

export class LiftedResponse {
  @Text({ description: 'The address', example: 'Joe@elsewhere.example' }) address!: string;
}
