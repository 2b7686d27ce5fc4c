false
echo never

