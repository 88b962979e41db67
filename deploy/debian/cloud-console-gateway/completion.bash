_cloud_console_gateway() {
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    --announce) COMPREPLY=($(compgen -W "$(ls /sys/class/net)" -- "${COMP_WORDS[COMP_CWORD]}")) ;;
    --api | --device | --interval | --metrics) COMPREPLY=() ;;
    *) COMPREPLY=($(compgen -W "--api --device --watch --interval --announce --metrics --insecure --help version" -- "${COMP_WORDS[COMP_CWORD]}")) ;;
  esac
}
complete -F _cloud_console_gateway cloud-console-gateway
