<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** The DNS records of a domain, for the page of its customer. */
final class DnsRecords
{
    /** A page waits no longer than this for one request. */
    private const SECONDS = 10.0;

    public function __construct(private readonly Module $module)
    {
    }

    /**
     * @return array{name: string, isComplete: bool, records: list<array<string, mixed>>}
     */
    public function read(): array
    {
        $seconds = min(self::SECONDS, Api::seconds());
        $domain = $this->module->ownDomain($seconds);
        $check = $this->module->api->get(Api::domainPath($domain['name']) . '/dns-check', $seconds);
        $records = [];
        foreach ($check['checks'] ?? [] as $row) {
            $records[] = [
                'purpose' => self::text($row, 'record'),
                'type' => self::text($row, 'type'),
                'name' => self::text($row, 'name'),
                'values' => self::texts($row, 'expected'),
                'found' => self::texts($row, 'found'),
                'status' => self::text($row, 'status'),
                'isRequired' => ($row['required'] ?? null) === true,
                'detail' => self::text($row, 'detail'),
            ];
        }
        return ['name' => self::text($check, 'name'), 'isComplete' => ($check['ok'] ?? null) === true, 'records' => $records];
    }

    /** @param array<mixed> $row */
    private static function text(array $row, string $member): string
    {
        return is_string($row[$member] ?? null) ? $row[$member] : '';
    }

    /**
     * @param array<mixed> $row
     * @return list<string>
     */
    private static function texts(array $row, string $member): array
    {
        return array_values(array_filter(is_array($row[$member] ?? null) ? $row[$member] : [], is_string(...)));
    }
}
