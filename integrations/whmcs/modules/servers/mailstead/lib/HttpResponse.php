<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** An HTTP response. The body is empty when it was handed on piece by piece. */
final class HttpResponse
{
    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body = '')
    {
    }

    public static function read(DeadlineStream $in): self
    {
        if (preg_match('~^HTTP/1\.[01] ([1-5]\d\d)( |$)~', $in->line(), $status) !== 1) {
            throw new BrokenConnection('answered something that is not HTTP');
        }
        $headers = [];
        for ($count = 0; ($line = $in->line()) !== ''; $count++) {
            if ($count === 100) {
                throw new BrokenConnection('answered too many headers');
            }
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
        }
        return new self((int) $status[1], $headers);
    }

    public function withBody(string $body): self
    {
        return new self($this->status, $this->headers, $body);
    }

    /** Hands the pieces of the body on, as they arrive. */
    public function readBody(DeadlineStream $in, callable $onPiece): void
    {
        if ($this->status === 204 || $this->status === 304) {
            return;
        }
        if (strtolower($this->headers['transfer-encoding'] ?? '') === 'chunked') {
            $this->readChunks($in, $onPiece);
            return;
        }
        $length = $this->headers['content-length'] ?? null;
        if ($length !== null) {
            self::readExactly($in, self::number($length, 10), $onPiece);
            return;
        }
        while (($piece = $in->read(65_536)) !== '') {
            $onPiece($piece);
        }
    }

    private function readChunks(DeadlineStream $in, callable $onPiece): void
    {
        while (($size = self::number(trim(explode(';', $in->line())[0]), 16)) > 0) {
            self::readExactly($in, $size, $onPiece);
            $in->line();
        }
        while ($in->line() !== '') {
            continue;
        }
    }

    private static function readExactly(DeadlineStream $in, int $length, callable $onPiece): void
    {
        while ($length > 0) {
            $piece = $in->read(min($length, 65_536));
            if ($piece === '') {
                throw new BrokenConnection('was closed in the middle of the response');
            }
            $length -= strlen($piece);
            $onPiece($piece);
        }
    }

    private static function number(string $text, int $base): int
    {
        if (preg_match($base === 16 ? '/^[0-9a-fA-F]{1,8}$/D' : '/^\d{1,12}$/D', $text) !== 1) {
            throw new BrokenConnection('answered something that is not HTTP');
        }
        return $base === 16 ? (int) hexdec($text) : (int) $text;
    }
}
