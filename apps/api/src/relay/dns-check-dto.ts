import { Bool, Enum, ListOf, ListOfText, Text, Time } from '../http/fields.js';

class DnsCheckRow {
  @Text({ description: 'mx, spf, verification or dkim; dmarc, mta_sts or tls_rpt for advice', example: 'mx' })
  record!: string;
  @Text({ description: 'The type of the DNS record', example: 'MX' }) type!: string;
  @Text({ description: 'The name of the DNS record', example: 'example.com' }) name!: string;
  @ListOfText({
    description: 'The values of which one, or all, must be published',
    example: ['10 mx.mailstead.example'],
  })
  expected!: string[];
  @ListOfText({ description: 'The values in the DNS', example: ['10 mx.mailstead.example'] }) found!: string[];
  @Enum(['ok', 'missing', 'mismatch', 'error'], { description: 'The result of the comparison' }) status!: string;
  @Bool({ description: 'Whether `ok` of the response depends on this check' }) required!: boolean;
  @Text({ description: 'What to do, for people; empty when nothing is to be done', example: '' }) detail!: string;
}

export class DnsCheckResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Bool({ description: 'Whether every required check is ok' }) ok!: boolean;
  @Time({ description: 'When the DNS was queried' }) checked_at!: string;
  @ListOf(DnsCheckRow, { description: 'The checks; at least mx, spf, verification and dkim' }) checks!: DnsCheckRow[];
}
