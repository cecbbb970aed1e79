import { Bool, Enum, ListOf, ListOfText, Text, Time } from '../http/fields.js';

class DnsCheckRow {
  @Text({ description: 'mx, spf, verification, dkim, or advice' }) record!: string;
  @Text() type!: string;
  @Text() name!: string;
  @ListOfText() expected!: string[];
  @ListOfText() found!: string[];
  @Enum(['ok', 'missing', 'mismatch', 'error']) status!: string;
  @Bool() required!: boolean;
  @Text() detail!: string;
}

export class DnsCheckResponse {
  @Text() name!: string;
  @Bool() ok!: boolean;
  @Time() checked_at!: string;
  @ListOf(DnsCheckRow) checks!: DnsCheckRow[];
}
