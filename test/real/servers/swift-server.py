# Runs one OpenStack Swift server from unpacked packages that are not installed. Arguments: swift_conf, configuration, section.
# Swift reads its hash secrets from /etc/swift, where the test must not write.
import sys
import swift.common.utils as utils
import swift.common.wsgi as wsgi

utils.SWIFT_CONF_FILE = sys.argv[1]
utils.validate_configuration = lambda: utils.validate_hash_conf()
sys.exit(wsgi.run_wsgi(sys.argv[2], sys.argv[3]))
