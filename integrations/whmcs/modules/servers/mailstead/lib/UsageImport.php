<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/**
 * Brings the use of this month (UTC) of all services of one server into WHMCS. It reads everything of a partner before it
 * writes, so that an error in the middle leaves the numbers of that partner as they are.
 */
final class UsageImport
{
    /** The usage of a partner is one stream. */
    private const USAGE_SECONDS = 120.0;

    /** @var array<string, array<string, list<int>>> ids of services, by partner and domain name */
    private array $services = [];

    /** @var array<int, array{bytes: int, storageMb: int|null, capMb: int}> by service */
    private array $numbers = [];

    public function __construct(private readonly Module $module)
    {
    }

    public function run(): void
    {
        $caller = $this->module->caller();
        foreach (ServicesOfServer::read($this->module->serverId()) as $row) {
            $partner = $caller->partner ?? trim((string) $row->partner);
            $name = $this->nameOf(strtolower(rtrim(trim((string) $row->domain), '.')));
            if ($partner !== '' && $name !== null) {
                $this->services[$partner][$name][] = (int) $row->id;
            }
        }
        $refused = null;
        foreach (array_keys($this->services) as $partner) {
            if ($partner === '.' || $partner === '..') {
                $refused ??= new Failure(
                    "The module settings of a product name the partner \"$partner\". Proxies would turn the path of its usage into that of all partners: name the right partner.",
                );
                continue;
            }
            try {
                $this->import((string) $partner, $caller);
            } catch (ApiProblem $problem) {
                // A product may name a wrong partner. The others' services get their numbers.
                $refused ??= $problem;
            }
        }
        if ($refused !== null) {
            throw $refused;
        }
    }

    private function import(string $partner, Caller $caller): void
    {
        $this->numbers = [];
        $this->readLimits($partner, $caller);
        $this->readUsage($partner, $caller);
        foreach ($this->numbers as $id => $of) {
            ServicesOfServer::write($id, $of['bytes'], $of['capMb'], $of['storageMb']);
        }
    }

    /** The name in A-labels, as Mailstead has it; null without a name, and for one that Mailstead does not have. */
    private function nameOf(string $domain): ?string
    {
        if (preg_match('/^[\x21-\x7e]+$/D', $domain) === 1) {
            return $domain;
        }
        if ($domain === '') {
            return null;
        }
        try {
            return (string) $this->module->api->get(Api::domainPath($domain))['name'];
        } catch (ApiProblem $problem) {
            if ($problem->problemCode === 'domain_not_found') {
                return null;
            }
            throw $problem;
        }
    }

    private function readLimits(string $partner, Caller $caller): void
    {
        $filter = $caller->isPartner() ? '' : '&partner_ref=' . rawurlencode($partner);
        foreach ($this->module->api->pages("/domains/?view=full&limit=1000$filter") as $page) {
            foreach ($page as $domain) {
                foreach ($this->services[$partner][$domain['name']] ?? [] as $id) {
                    $this->numbers[$id] = ['bytes' => 0, 'storageMb' => null, 'capMb' => (int) $domain['transfer_monthly_mb']];
                }
            }
        }
    }

    private function readUsage(string $partner, Caller $caller): void
    {
        $path = $caller->isPartner() ? '/usage' : '/partners/' . rawurlencode($partner) . '/usage';
        $rows = new UsageRows(function (string $domain, int $bytes, ?int $storageMb) use ($partner): void {
            foreach ($this->services[$partner][$domain] ?? [] as $id) {
                $this->add($id, $bytes, $storageMb);
            }
        });
        $this->module->api->csv("$path?month=" . gmdate('Y-m'), $rows->append(...), self::USAGE_SECONDS);
        $rows->end();
    }

    /** A domain has a row for each plan that it had in the month. */
    private function add(int $id, int $bytes, ?int $storageMb): void
    {
        if (!isset($this->numbers[$id])) {
            return;
        }
        $this->numbers[$id]['bytes'] += $bytes;
        if ($storageMb !== null) {
            $this->numbers[$id]['storageMb'] = max($storageMb, $this->numbers[$id]['storageMb'] ?? 0);
        }
    }
}
