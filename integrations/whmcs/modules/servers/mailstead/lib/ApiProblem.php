<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

require_once __DIR__ . '/Failure.php';

/** The API refused a request. The sentence is the `detail` of its problem details. */
final class ApiProblem extends Failure
{
    /**
     * @param int $status the HTTP status
     * @param string $problemCode the `code` of the problem details, such as `domain_exists`
     */
    public function __construct(public readonly int $status, public readonly string $problemCode, string $detail)
    {
        parent::__construct($detail);
    }

    /** @param array<string, mixed> $problem the problem details */
    public static function of(int $status, array $problem): self
    {
        $detail = is_string($problem['detail'] ?? null) ? $problem['detail'] : "Mailstead refused the request with status $status";
        $code = is_string($problem['code'] ?? null) ? $problem['code'] : '';
        return new self($status, $code, $detail . self::fields($problem['errors'] ?? null));
    }

    private static function fields(mixed $errors): string
    {
        if (!is_array($errors)) {
            return '';
        }
        $texts = [];
        foreach ($errors as $error) {
            if (is_array($error) && is_string($error['field'] ?? null) && is_string($error['message'] ?? null)) {
                $texts[] = "{$error['field']} {$error['message']}";
            }
        }
        return $texts === [] ? '' : ' (' . implode('; ', $texts) . ')';
    }
}
