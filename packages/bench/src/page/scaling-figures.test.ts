import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.js';

const read = (page: string): string => readFileSync(join(ROOT, 'docs', page), 'utf8');

/** A row of docs/performance.md, its figure, and the words of docs/scaling.md that have the figure as %. */
const FIGURES: [string, RegExp, string][] = [
  ['increment, 100000 domains, with id and sender, mariadb', /\| (\d+)\/s/, '%'],
  ['increment, 100000 domains, with id and sender, two processes, mariadb', /\| (\d+)\/s/, '% with two'],
  ['increment, 100000 domains, two processes, mariadb', /\| (\d+)\/s/, '% (over 100,000 domains)'],
  ['increment, one hot domain, two processes, mariadb', /\| (\d+)\/s/, '% (one domain)'],
  ['bulk of 200, mariadb', /\| (\d+) increments\/s/, '%'],
  ['POST /outbound/looks of 1, 100000 domains, 64 connections, mariadb', /\| (\d+)\/s/, '% looks a second'],
  ['POST /outbound/looks of 20, 100000 domains, 8 connections, mariadb', /(\d+) looks\/s/, '% in batches of 20'],
  ['a message, 64 in flight: API + policy daemon', /ms, (\d+)\/s; by HTTP/, '% a second | 8,400'],
  ['trail: rows from the log, mariadb', /\| (\d+) rows\/s/, '% a second | 8,400'],
  ['trail: bytes of a row, its indexes included, mariadb', /\| (\d+) \|/, '% bytes'],
  ['trail: processor time a message, with the follower, mariadb', /API ([\d.]+) /, 'and % for its trail'],
  ['trail: processor time a message, with the follower, mariadb', /follower ([\d.]+) /, '0.84 ms, and %'],
  ['trail: processor time a message, with the follower, mariadb', /MariaDB ([\d.]+) /, 'trails: 0.49 ms, and %'],
  ['submission, 1 recipient, 64', /\| ([\d.]+) \+ [\d.]+ \+ [\d.]+; [\d.]+ \|/, 'policy daemons: % ms'],
  ['submission, 1 recipient, 64', /\| [\d.]+ \+ ([\d.]+) \+ [\d.]+; [\d.]+ \|/, 'of the API: % ms a message'],
  ['submission, 1 recipient, 64', /\| [\d.]+ \+ [\d.]+ \+ [\d.]+; ([\d.]+) \|/, 'of Postfix: % ms'],
  ['submission, 1 recipient, 64', /; [\d.]+ \| ([\d.]+) \|/, 'that Postfix asks: % ms'],
];

describe('docs/scaling.md', () => {
  it.each(FIGURES)('quotes the measured figure of "%s" (%s)', (row, figure, words) => {
    const line = read('performance.md')
      .split('\n')
      .find((each) => each.startsWith(`| ${row} |`));
    const [, found = ''] = figure.exec(line ?? '') ?? [];
    expect(found).not.toBe('');
    const shown = /^\d+$/.test(found) ? Number(found).toLocaleString('en-US') : found;
    expect(read('scaling.md')).toContain(words.replace('%', shown));
  });
});
