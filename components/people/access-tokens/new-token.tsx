import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { SecretOnce } from '#components/base/forms/secret-once'
import { Card, Stack } from '#components/kit/layout'
import styles from './access-tokens.module.css'

/** The token, this once, and the lines that try it in a shell. */
export function NewToken({ token }: { token: string }) {
  const say = useTranslations('accessTokens.made')
  const sayToken = useTranslations('accessTokens')
  const lines = curlLines(token, window.location.origin)
  return (
    <Stack gap="l">
      <SecretOnce secret={token} label={sayToken('one')} copyLabel={say('copy')}>
        {say('pass')}
      </SecretOnce>
      <Card title={say('use')} actions={<Copy text={lines} label={say('copyLines')} />}>
        <p>{say('useHint')}</p>
        <pre className={styles.lines}>{lines}</pre>
      </Card>
    </Stack>
  )
}

export const curlLines = (token: string, site: string): string =>
  [
    `export API_TOKEN='${token}'`,
    'curl -H "Authorization: Token $API_TOKEN" -H "Accept: application/json" \\',
    `  '${site}/api/login?expand=privileges'`,
  ].join('\n')
