import { z } from 'zod'

/** What the Containerfile says of the program, in the words of the OCI image specification, and of Docker for the health check. */
export type ImageConfig = {
  User: string
  WorkingDir: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  Volumes: Record<string, object>
  ExposedPorts: Record<string, object>
  Labels: Record<string, string>
  StopSignal: string
  Healthcheck: { Test: string[]; Interval: number; Timeout: number; StartPeriod: number; Retries: number }
}

const instructions = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, value = '']) => value)

function only(text: string, name: string): string {
  const [value, ...more] = instructions(text, name)
  if (value === undefined || more.length > 0) throw new Error(`The Containerfile needs one ${name}`)
  return value
}

const words = (text: string): string[] => z.array(z.string()).parse(JSON.parse(text))

const SECOND = 1_000_000_000

/** The engine counts in nanoseconds. */
function healthcheckOf(text: string): ImageConfig['Healthcheck'] {
  const [options = '', command = ''] = text.split(' CMD ')
  const number = (name: string): number => Number(new RegExp(`--${name}=(\\d+)`).exec(options)?.[1])
  return {
    Test: ['CMD', ...words(command)],
    Interval: number('interval') * SECOND,
    Timeout: number('timeout') * SECOND,
    StartPeriod: number('start-period') * SECOND,
    Retries: number('retries'),
  }
}

const labelOf = (text: string): [string, string] => {
  const [, name = '', value = ''] = /^([^=]+)="?([^"]*)"?$/.exec(text) ?? []
  return [name, value]
}

/** Reads the instructions that deploy/container/Containerfile uses, in the form that it uses. */
export const imageConfigOf = (text: string): ImageConfig => ({
  User: only(text, 'USER'),
  WorkingDir: only(text, 'WORKDIR'),
  Env: instructions(text, 'ENV').flatMap((line) => line.split(' ')),
  Entrypoint: words(only(text, 'ENTRYPOINT')),
  Cmd: words(only(text, 'CMD')),
  Volumes: { [only(text, 'VOLUME')]: {} },
  ExposedPorts: { [`${only(text, 'EXPOSE')}/tcp`]: {} },
  Labels: Object.fromEntries(instructions(text, 'LABEL').map(labelOf)),
  StopSignal: only(text, 'STOPSIGNAL'),
  Healthcheck: healthcheckOf(only(text, 'HEALTHCHECK')),
})
