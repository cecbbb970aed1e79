<?php

declare(strict_types=1);

namespace Mailstead\Whmcs;

/** A connection whose reads end at one deadline, however slowly the other side sends. */
final class DeadlineStream
{
    private const READ_BYTES = 65_536;

    private string $buffer = '';

    /**
     * @param resource $stream
     * @param float $deadline the time of the deadline, of `hrtime` in seconds
     */
    public function __construct(private $stream, private readonly float $deadline)
    {
    }

    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    public function write(string $bytes): void
    {
        for ($sent = 0; $sent < strlen($bytes); $sent += $count) {
            $this->limit();
            $count = @fwrite($this->stream, substr($bytes, $sent));
            if ($count === false || $count === 0) {
                throw new BrokenConnection('was closed before the whole request was sent');
            }
        }
    }

    /** @return string one line without its end */
    public function line(int $most = 16_384): string
    {
        while (($end = strpos($this->buffer, "\n")) === false) {
            if (strlen($this->buffer) > $most || !$this->fill()) {
                throw new BrokenConnection('was closed in the middle of the response');
            }
        }
        $line = substr($this->buffer, 0, $end);
        $this->buffer = substr($this->buffer, $end + 1);
        return rtrim($line, "\r");
    }

    /** @return string at least one byte and at most this many; empty at the end */
    public function read(int $most): string
    {
        if ($this->buffer === '' && !$this->fill()) {
            return '';
        }
        $piece = substr($this->buffer, 0, $most);
        $this->buffer = substr($this->buffer, strlen($piece));
        return $piece;
    }

    public function close(): void
    {
        @fclose($this->stream);
    }

    private function fill(): bool
    {
        do {
            $this->limit();
            $piece = @fread($this->stream, self::READ_BYTES);
            if (stream_get_meta_data($this->stream)['timed_out']) {
                throw new DeadlinePassed();
            }
            // Over TLS a read may end without a byte although more will come.
        } while ($piece === '' && !feof($this->stream));
        $this->buffer .= (string) $piece;
        return (string) $piece !== '';
    }

    /** Lets the next operation end at the deadline. */
    private function limit(): void
    {
        $left = $this->deadline - self::now();
        if ($left <= 0) {
            throw new DeadlinePassed();
        }
        stream_set_timeout($this->stream, (int) $left, (int) (fmod($left, 1) * 1e6));
    }
}

/** The other side did not finish in time. */
final class DeadlinePassed extends \RuntimeException
{
}

/** The connection ended early, or what arrived is no HTTP response. */
final class BrokenConnection extends \RuntimeException
{
}
