import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { SecretOnce } from '#components/base/forms/secret-once'
import { Card } from '#components/frame/layout/card'
import styles from './access-tokens.module.css'

/** The token, this once, and the lines that try it in a shell. */
export function NewToken({ token }: { token: string }) {
  const say = useTranslations('accessTokens.made')
  const sayToken = useTranslations('accessTokens')
  const lines = curlLines(token, window.location.origin)
  return (
    <SpaceBetween size="l">
      <SecretOnce secret={token} label={sayToken('one')} copyLabel={say('copy')}>
        {say('pass')}
      </SecretOnce>
      <Card title={say('use')} actions={<Copy text={lines} label={say('copyLines')} />}>
        <Box variant="p">{say('useHint')}</Box>
        <pre className={styles.lines}>{lines}</pre>
      </Card>
    </SpaceBetween>
  )
}

export const curlLines = (token: string, site: string): string =>
  [
    `export API_TOKEN='${token}'`,
    'curl -H "Authorization: Token $API_TOKEN" -H "Accept: application/json" \\',
    `  '${site}/api/login?expand=privileges'`,
  ].join('\n')
