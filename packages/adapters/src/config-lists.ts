import type { OperatorScope } from '@mailstead/core/operators/caller';
import type { Config } from './config.js';
import type { OperatorToken } from './crypto/operator-tokens.js';

/** @returns the items of a setting that lists them, separated by commas */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** @returns the master and operator tokens, each with its caller */
export function operatorTokensOf(config: Readonly<Config>): OperatorToken[] {
  const masters = listOf(config.masterToken).map((token, index) => {
    return { token, caller: { kind: 'master' as const, name: index === 0 ? 'master' : `master-${index + 1}` } };
  });
  const operators = listOf(config.operatorTokens).map((entry) => {
    const [name = '', scope = '', ...rest] = entry.split(':');
    return { token: rest.join(':'), caller: { kind: 'operator' as const, name, scope: scope as OperatorScope } };
  });
  return [...masters, ...operators];
}
