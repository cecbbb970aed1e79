<?php

/**
 * What the module uses of WHMCS, for its tests only: the module log, the service properties, and as much of the database
 * API as the module calls.
 */

declare(strict_types=1);

namespace {
    define('WHMCS', true);

    /** The calls of logModuleCall, with every argument as the module gave it. */
    final class StandInLog
    {
        /** @var list<array<string, mixed>> */
        public static array $entries = [];
    }

    function logModuleCall(string $module, string $action, mixed $request, mixed $response, mixed $processed = '', array $replaceVars = []): void
    {
        StandInLog::$entries[] = compact('module', 'action', 'request', 'response', 'processed', 'replaceVars');
    }

    /** WHMCS's model of a service. */
    final class StandInModel
    {
        public function __construct(public readonly StandInProperties $serviceProperties)
        {
        }
    }

    final class StandInProperties
    {
        /** @param array<string, string> $values */
        public function __construct(public array $values, private readonly bool $isBroken)
        {
        }

        public function get(string $name): ?string
        {
            return $this->values[$name] ?? null;
        }

        /** @param array<string, string> $values */
        public function save(array $values): void
        {
            if ($this->isBroken) {
                throw new \RuntimeException('SQLSTATE[HY000]: the table of custom fields is locked');
            }
            $this->values = $values + $this->values;
        }
    }
}

namespace WHMCS\Database {
    /** Tables in memory. */
    final class Capsule
    {
        /** @var array<string, list<array<string, mixed>>> */
        public static array $tables = [];

        public static function table(string $name): StandInQuery
        {
            return new StandInQuery($name);
        }

        public static function raw(string $sql): string
        {
            return $sql;
        }
    }

    final class StandInQuery
    {
        /** @var list<array{string, string, string}> */
        private array $joins = [];
        /** @var list<callable(array<string, mixed>): bool> */
        private array $conditions = [];

        public function __construct(private readonly string $table)
        {
        }

        public function join(string $table, string $left, string $operator, string $right): self
        {
            $this->joins[] = [$table, $left, $right];
            return $this;
        }

        public function where(string $column, mixed $value): self
        {
            return $this->whereIn($column, [$value]);
        }

        /** @param list<mixed> $values */
        public function whereIn(string $column, array $values): self
        {
            $this->conditions[] = fn (array $row): bool => in_array($row[$this->full($column)] ?? null, $values, false);
            return $this;
        }

        /**
         * @param list<string> $columns
         * @return list<\stdClass>
         */
        public function get(array $columns): array
        {
            $rows = [];
            foreach ($this->joined() as $row) {
                $found = new \stdClass();
                foreach ($columns as $column) {
                    [$from, $as] = explode(' as ', $column) + [1 => null];
                    $found->{$as ?? substr($from, (int) strrpos($from, '.') + 1)} = $row[$from];
                }
                $rows[] = $found;
            }
            return $rows;
        }

        /** @param array<string, mixed> $values */
        public function update(array $values): void
        {
            foreach (Capsule::$tables[$this->table] as $index => $row) {
                if ($this->matches($this->named($this->table, $row))) {
                    Capsule::$tables[$this->table][$index] = $values + $row;
                }
            }
        }

        /** @return list<array<string, mixed>> */
        private function joined(): array
        {
            $rows = array_map(fn (array $row) => $this->named($this->table, $row), Capsule::$tables[$this->table]);
            foreach ($this->joins as [$table, $left, $right]) {
                $products = [];
                foreach ($rows as $row) {
                    foreach (Capsule::$tables[$table] as $other) {
                        $both = $row + $this->named($table, $other);
                        if ($both[$left] === $both[$right]) {
                            $products[] = $both;
                        }
                    }
                }
                $rows = $products;
            }
            return array_values(array_filter($rows, $this->matches(...)));
        }

        /** @param array<string, mixed> $row */
        private function matches(array $row): bool
        {
            foreach ($this->conditions as $condition) {
                if (!$condition($row)) {
                    return false;
                }
            }
            return true;
        }

        private function full(string $column): string
        {
            return str_contains($column, '.') ? $column : "$this->table.$column";
        }

        /**
         * @param array<string, mixed> $row
         * @return array<string, mixed>
         */
        private function named(string $table, array $row): array
        {
            return array_combine(array_map(static fn (string $column) => "$table.$column", array_keys($row)), $row);
        }
    }
}
