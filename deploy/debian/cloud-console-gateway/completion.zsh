#compdef cloud-console-gateway
_arguments \
  '--api[the address of the API, with /api]:URL:' \
  '--device[the id of the device]:id:' \
  '--watch[reads and reports, and writes nothing]' \
  '--interval[seconds between two reports]:seconds:' \
  '--announce[adds the NAT IPs to this network device]:device:_net_interfaces' \
  '--metrics[answers GET /metrics on 127.0.0.1]:port:' \
  '--insecure[sends the token to an http address of another machine]' \
  '--help[shows the options]' \
  '1::command:(version)'
