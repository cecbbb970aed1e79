<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** Reads Mailstead's usage of a month, CSV, row by row: it holds one line at a time. */
final class UsageRows
{
    private const COLUMNS = ['domain', 'storage_mb_max', 'bytes'];
    private const MAX_LINE_BYTES = 65_536;

    private string $rest = '';

    /** @var array<string, int>|null the place of each column */
    private ?array $places = null;

    /** @param \Closure(string, int, ?int): void $onRow receives domain name, bytes and storage in MB (null: not known) */
    public function __construct(private readonly \Closure $onRow)
    {
    }

    public function append(string $piece): void
    {
        $lines = explode("\n", $this->rest . $piece);
        $this->rest = array_pop($lines);
        if (strlen($this->rest) > self::MAX_LINE_BYTES) {
            throw new Failure('Mailstead answered a line of usage that is too long.');
        }
        foreach ($lines as $line) {
            $this->line(rtrim($line, "\r"));
        }
    }

    /** @throws Failure when there was not even a line with the names of the columns */
    public function end(): void
    {
        if ($this->rest !== '') {
            $this->line($this->rest);
        }
        if ($this->places === null) {
            throw new Failure('Mailstead answered no usage.');
        }
    }

    private function line(string $line): void
    {
        if ($line === '') {
            return;
        }
        $fields = str_getcsv($line, ',', '"', '');
        if ($this->places === null) {
            $this->places = self::placesIn($fields);
            return;
        }
        $field = fn (string $column): string => (string) ($fields[$this->places[$column]] ?? '');
        $storage = $field('storage_mb_max');
        ($this->onRow)(strtolower($field('domain')), (int) $field('bytes'), is_numeric($storage) ? (int) ceil((float) $storage) : null);
    }

    /**
     * @param list<string|null> $names
     * @return array<string, int>
     */
    private static function placesIn(array $names): array
    {
        $names[0] = preg_replace('/^\xef\xbb\xbf/', '', (string) ($names[0] ?? ''));
        $places = array_flip(array_map(strval(...), $names));
        foreach (self::COLUMNS as $column) {
            if (!isset($places[$column])) {
                throw new Failure("Mailstead's usage has no column \"$column\".");
            }
        }
        return $places;
    }
}
